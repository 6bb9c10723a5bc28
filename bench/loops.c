/* What kernels compute, by plain loops. Built at bench time with -O3. Positions are from 1, 0 for an absent item. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many judges put item i before item j. */
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

/* Kendall's tau of every two complete rankings without ties: pairs of items in the same order. */
void tau(const int16_t *positions, int64_t judges, int64_t items, double *out)
{
    double pairs = items * (items - 1) / 2.0;
    for (int64_t a = 0; a < judges; a++)
        for (int64_t b = 0; b <= a; b++) {
            const int16_t *x = positions + a * items, *y = positions + b * items;
            int64_t same = 0;
            for (int64_t i = 0; i < items; i++) {
                int16_t xi = x[i], yi = y[i], here = 0;
                for (int64_t j = 0; j < i; j++)
                    here += (xi < x[j]) == (yi < y[j]);
                same += here;
            }
            out[a * judges + b] = out[b * judges + a] = 2 * same / pairs - 1;
        }
}

/* Kappa of complete rankings by length, in the order of the first one; how many lengths there are. */
int64_t kappa(const int16_t *positions, int64_t judges, int64_t items, double gamma, double lambda, double *out)
{
    double *weight = calloc(items * items, sizeof(double)), *y = malloc(2 * items * sizeof(double)), *next = y + items;
    int16_t *m = malloc(judges * items * sizeof(int16_t));
    for (int64_t i = 0; i < items; i++)
        for (int64_t k = 0; k < judges; k++)
            m[(positions[i] - 1) * judges + k] = positions[k * items + i];
    out[0] = 0;
    for (int64_t i = 0; i < items; i++) {
        double mean = 0, off = 0;
        for (int64_t k = 0; k < judges; k++)
            mean += m[i * judges + k] / (double)judges;
        for (int64_t k = 0; k < judges; k++)
            off += (m[i * judges + k] - mean) * (m[i * judges + k] - mean) / judges;
        out[0] += pow(gamma, sqrt(off));
        y[i] = 1;
        for (int64_t j = 0; j < i; j++) {
            int64_t total = 0, after = 0;
            for (int64_t k = 0; k < judges; k++) {
                int64_t gap = m[i * judges + k] - m[j * judges + k];
                after += gap > 0;
                total += gap;
            }
            if (after == judges)
                weight[i * items + j] = pow(lambda, total / (double)judges);
        }
    }
    int64_t length = 1;
    for (;; length++) {
        double sum = 0;
        for (int64_t i = 0; i < items; i++) {
            double here = 0;
            for (int64_t j = 0; j < i; j++)
                here += weight[i * items + j] * y[j];
            sum += next[i] = here;
        }
        if (!(sum > 0))
            break;
        out[length] = sum;
        memcpy(y, next, items * sizeof(double));
    }
    free(weight), free(y), free(m);
    return length;
}

/* How many items are in cluster i of one clustering and in class j of the other. */
void contingency(const int64_t *first, const int64_t *second, int64_t items, int64_t classes, int64_t *counts)
{
    for (int64_t i = 0; i < items; i++)
        counts[first[i] * classes + second[i]]++;
}

/* Krippendorff's alpha of interval level; NaN where a judge gave no score. */
double alpha(const double *scores, int64_t judges, int64_t units)
{
    double *n = calloc(3 * units, sizeof(double)), *s = n + units, *q = s + units;
    for (int64_t k = 0; k < judges; k++)
        for (int64_t i = 0; i < units; i++) {
            double x = scores[k * units + i];
            int there = x == x;
            x = there ? x : 0;
            n[i] += there;
            s[i] += x;
            q[i] += x * x;
        }
    double inside = 0, all = 0, sum = 0, squares = 0;
    for (int64_t i = 0; i < units; i++)
        if (n[i] > 1) {
            inside += 2 * (n[i] * q[i] - s[i] * s[i]) / (n[i] - 1);
            all += n[i], sum += s[i], squares += q[i];
        }
    free(n);
    return 1 - inside / all / (2 * (all * squares - sum * sum) / (all * (all - 1)));
}

/* ROUGE-2: the best recall of every summary. Texts come one after the other: a summary, then its references. */
static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int64_t bigrams(const char *text, int64_t size, uint64_t *out)
{
    int64_t number = 0;
    uint64_t last = 0, word = 0;
    for (int64_t i = 0; i <= size; i++) {
        unsigned char c = i < size ? text[i] : ' ';
        if (c >= 'A' && c <= 'Z')
            c += 32;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            word = (word ? word : 14695981039346656037u) ^ c;
            word *= 1099511628211u;
        } else if (word) {
            if (last)
                out[number++] = last * 31 + word;
            last = word;
            word = 0;
        }
    }
    qsort(out, number, sizeof(uint64_t), by_value);
    return number;
}

void rouge2(const char *texts, const int64_t *starts, int64_t summaries, int64_t references, int64_t longest, double *out)
{
    uint64_t *mine = malloc(2 * longest * sizeof(uint64_t)), *theirs = mine + longest;
    for (int64_t s = 0; s < summaries; s++) {
        const int64_t *at = starts + s * (references + 1);
        int64_t m = bigrams(texts + at[0], at[1] - at[0], mine);
        out[s] = 0;
        for (int64_t r = 1; r <= references; r++) {
            int64_t n = bigrams(texts + at[r], at[r + 1] - at[r], theirs), hits = 0;
            for (int64_t i = 0, j = 0; i < m && j < n;)
                if (mine[i] == theirs[j])
                    hits++, i++, j++;
                else if (mine[i] < theirs[j])
                    i++;
                else
                    j++;
            double recall = n ? hits / (double)n : 0;
            out[s] = recall > out[s] ? recall : out[s];
        }
    }
    free(mine);
}
