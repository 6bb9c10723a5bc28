"""The statistical core: estimates, weights, chance, flags, leaderboards, budget; written once for every method."""
