// Drawing over a part of a chart with a mouse, a pen or a finger.

import type uPlot from 'uplot';

/** A shorter way is a click. */
const SHORTEST = 6;

interface Drag {
  pointer: number;
  /** Where it began on the screen. */
  x: number;
  /** The span in milliseconds, not in pixels: new data may draw the chart again meanwhile. */
  from: number;
  to: number;
}

export interface Drawn {
  onSelect: (from: number, to: number) => void;
  onPick: (at: number) => void;
}

/** Follows one pointer over a chart, also outside of it, until it is let go. */
export class Dragging {
  #host: HTMLElement;
  #drawn: Drawn;
  #plot: uPlot | null = null;
  #drag: Drag | null = null;
  #stop = new AbortController();

  constructor(host: HTMLElement, drawn: Drawn) {
    this.#host = host;
    this.#drawn = drawn;
    const { signal } = this.#stop;
    host.addEventListener('pointerdown', (event) => this.#begin(event), { signal });
    host.addEventListener('pointermove', (event) => this.#move(event), { signal });
    host.addEventListener('pointerup', (event) => this.#end(event), { signal });
    // For example, the browser scrolls the page with this finger.
    for (const name of ['pointercancel', 'lostpointercapture']) host.addEventListener(name, () => this.#forget(), { signal });
  }

  /** The chart as it is drawn from now on. */
  attach(plot: uPlot): void {
    this.#plot = plot;
    // uPlot has no axes until it draws, which it does later.
    queueMicrotask(() => this.#show());
  }

  destroy(): void {
    this.#stop.abort();
    this.#plot = null;
  }

  #begin(event: PointerEvent): void {
    const over = this.#plot?.over;
    if (!event.isPrimary || event.button !== 0 || !(event.target instanceof Node) || !over?.contains(event.target)) return;
    this.#host.setPointerCapture(event.pointerId);
    const at = this.#instantAt(event);
    this.#drag = { pointer: event.pointerId, x: event.clientX, from: at, to: at };
  }

  #move(event: PointerEvent): void {
    if (event.pointerId !== this.#drag?.pointer) return;
    this.#drag.to = this.#instantAt(event);
    this.#show();
  }

  #end(event: PointerEvent): void {
    const drag = this.#drag;
    if (event.pointerId !== drag?.pointer) return;
    const to = this.#instantAt(event);
    this.#forget();
    if (Math.abs(event.clientX - drag.x) < SHORTEST) this.#drawn.onPick(drag.from);
    else this.#drawn.onSelect(Math.min(drag.from, to), Math.max(drag.from, to));
  }

  #forget(): void {
    this.#drag = null;
    this.#plot?.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  #instantAt({ clientX }: PointerEvent): number {
    const plot = this.#plot;
    if (!plot) return 0;
    const { left, width } = plot.over.getBoundingClientRect();
    return plot.posToVal(Math.min(Math.max(clientX - left, 0), width), 'x') * 1000;
  }

  #show(): void {
    const [plot, drag] = [this.#plot, this.#drag];
    if (!plot || !drag) return;
    const { clientWidth, clientHeight } = plot.over;
    const within = (at: number) => Math.min(Math.max(plot.valToPos(at / 1000, 'x'), 0), clientWidth);
    const [from, to] = [within(drag.from), within(drag.to)];
    plot.setCursor({ left: to, top: 0 });
    plot.setSelect({ left: Math.min(from, to), top: 0, width: Math.abs(to - from), height: clientHeight }, false);
  }
}
