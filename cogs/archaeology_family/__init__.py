"""The screens that both Archaeology games share: market, hand, trade, Sandstorm, museum."""
