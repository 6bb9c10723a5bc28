"""Metrics trained to predict judges' scores from features of texts, and what noisy judges do to the training."""
