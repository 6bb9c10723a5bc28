"""Arrays in, arrays out: no ids, no checks, numpy only.

``positions[task, judge, item]`` are dense positions from 1, with 0 for absent; ``counts[task, judge]`` says how many
judges a row stands for, and 0 takes the row out (that is how judges are resampled).
"""
