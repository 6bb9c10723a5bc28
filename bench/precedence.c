/* How many judges put item i before item j. Positions from 1, 0 for an absent item. Built at bench time with -O3. */
#include <stdint.h>

void precedence(const int16_t *positions, int64_t judges, int64_t items, int32_t *before)
{
    for (int64_t k = 0; k < judges; k++) {
        const int16_t *row = positions + k * items;
        for (int64_t i = 0; i < items; i++) {
            int32_t *out = before + i * items;
            int16_t mine = row[i];
            if (!mine)
                continue;
            for (int64_t j = 0; j < items; j++)
                out[j] += mine < row[j];
        }
    }
}
