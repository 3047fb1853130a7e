"""What the two Archaeology games share: treasures, market, dig site, museum, sandstorms and thieves.

Not a game of its own. `engine.archaeology` and `engine.expedition` say what differs.
"""
