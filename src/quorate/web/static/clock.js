// Time spent on a task: while the page is in view and somebody is at it.

const IDLE = 120000; // ms without a sign of life

export class Clock {
  #before;
  #last = performance.now();
  #seen = performance.now();
  #visible = !document.hidden;

  constructor(before = 0) {
    this.#before = before;
    for (const name of ["pointerdown", "pointermove", "keydown", "scroll"])
      addEventListener(name, () => this.#sign(), { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => {
      this.#sign();
      this.#visible = !document.hidden;
    });
  }

  #sign() {
    this.elapsed();
    this.#seen = performance.now();
  }

  elapsed() {
    const now = performance.now();
    const end = Math.min(now, this.#seen + IDLE);
    if (this.#visible && end > this.#last) this.#before += end - this.#last;
    this.#last = now;
    return this.#before;
  }
}
