/**
 * One requestAnimationFrame for the whole page, only while somebody wants one. A frame runs, in this order: the tasks
 * (hand, motion), the store's subscribers, the picture. Script and rendering are timed apart, for `lab.frameTimes()`.
 */

/** Called with the time and the step since the last frame, s; returns whether it wants another frame. */
export type FrameTask = (now: number, dt: number) => boolean;

export interface FrameTime {
  /** Script without rendering, ms. */
  script: number;
  /** three.js render call, ms. */
  render: number;
}

export class Frames {
  private tasks = new Set<FrameTask>();
  private active = new Set<FrameTask>();
  private asked = false;
  private last = 0;
  private drawn = false;
  readonly times: FrameTime[] = [];
  /** Subscribers of the store. */
  update: () => void = () => {};
  /** Draws the picture. */
  render: () => void = () => {};
  fail: (error: unknown) => void = (error) => console.error(error);

  /** A task that runs in frames; it sleeps until `start` and again when it returns false. */
  add(task: FrameTask): { start(): void; stop(): void; remove(): void } {
    this.tasks.add(task);
    return {
      start: () => {
        this.active.add(task);
        this.request();
      },
      stop: () => void this.active.delete(task),
      remove: () => {
        this.tasks.delete(task);
        this.active.delete(task);
      },
    };
  }

  /** Asks for a frame; `picture`: with a new picture. */
  request(picture = true): void {
    if (picture) this.drawn = false;
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.asked = false;
    const begun = performance.now();
    const dt = this.last === 0 || now - this.last > 250 ? 1 / 60 : Math.max(0, (now - this.last) / 1000);
    this.last = now;
    for (const task of [...this.active]) {
      let more = false;
      try {
        more = task(now / 1000, dt);
      } catch (error) {
        this.fail(error);
      }
      if (!more) this.active.delete(task);
    }
    try {
      this.update();
    } catch (error) {
      this.fail(error);
    }
    const computed = performance.now();
    if (!this.drawn) {
      this.drawn = true;
      try {
        this.render();
      } catch (error) {
        this.fail(error);
      }
    }
    this.times.push({ script: computed - begun, render: performance.now() - computed });
    if (this.times.length > 600) this.times.splice(0, this.times.length - 600);
    if (this.active.size > 0) this.request();
  }
}
