#!/usr/bin/env bash
# openskill: somebody who wins can have a lower ordinal afterwards, with all settings as they are.
#
# Version:  openskill 6.2.0.
# Expected: the careful value of a skill (`ordinal`, mu - 3 sigma) of a winner never falls.
# Seen:     before each match the model makes every player less certain, by its default `tau`. A victory that all
#           expected moves mu so little that the new uncertainty outweighs it. Of a league's leaders, the one who does
#           not play is better off. With `limit_sigma=True`, an uncertainty may not grow, and the ordinal does not fall.
# Output:   default: ordinal 44.0000 -> 43.9955; with limit_sigma: 44.0000 -> 44.0031
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" openskill==6.2.0

PYTHONPATH="$folder/lib" python3 - <<'END'
from openskill.models import PlackettLuce


def after_victory(model: PlackettLuce) -> tuple[float, float]:
    favourite, other = model.rating(mu=48, sigma=4 / 3), model.rating(mu=20, sigma=4 / 3)
    [[winner], _] = model.rate([[favourite], [other]], ranks=[1, 2])
    assert winner.mu > favourite.mu
    return favourite.ordinal(), winner.ordinal()


(before, default), (_, limited) = after_victory(PlackettLuce()), after_victory(PlackettLuce(limit_sigma=True))
print(f"default: ordinal {before:.4f} -> {default:.4f}; with limit_sigma: {before:.4f} -> {limited:.4f}")
assert default < before <= limited
END
echo "A victory of a favourite's can still lower the ordinal of openskill's default model."
