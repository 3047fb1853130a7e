"""The Archaeology family: the rules that Archaeology: The Card Game and The New Expedition share.

Treasures, market, dig site, museum, Sandstorms and Thieves are here. The package is no game of its own:
`engine.archaeology` and `engine.expedition` are, and hold what differs. In all of these packages "the family" means
these two games and what they share.
"""
