"""The pictures of Artifacts, Inc.: its parts by subject, and what is put together of them."""
