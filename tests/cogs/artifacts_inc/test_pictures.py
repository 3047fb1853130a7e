"""The pictures of Artifacts, Inc."""
from tests.cogs import pictures as p
def test_a(): p.check_every_picture("artifacts-inc", ("banner","table","own","podium","vignette","sheet 0"))
def test_b(): p.check_secrecy("artifacts-inc")
def test_c(): p.check_parts(p.screens_of("artifacts-inc"), p.all_pictures("artifacts-inc"))
