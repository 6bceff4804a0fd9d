// The sentence of a spot: shown while a mouse rests on it, while it has the keyboard focus, or after a long press. A
// long press places no chip.

const REST_MS = 350;
const PRESS_MS = 450;
const MOVED_PX = 12;

export class Tip {
  /** The bet whose sentence is shown, and where its spot lies. */
  shown = $state.raw<{ bet: string; at: DOMRect } | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pressed = false;
  private from = { x: 0, y: 0 };

  /** The event handlers of a spot. */
  on(bet: string): Record<string, (event: never) => void> {
    return {
      onpointerenter: (event: PointerEvent) => {
        if (event.pointerType === "mouse") this.soon(bet, event.currentTarget as Element, REST_MS);
      },
      onpointerdown: (event: PointerEvent) => {
        this.pressed = false;
        this.hide();
        this.from = { x: event.clientX, y: event.clientY };
        if (event.pointerType !== "mouse") this.soon(bet, event.currentTarget as Element, PRESS_MS, true);
      },
      onpointermove: (event: PointerEvent) => {
        if (event.pointerType !== "mouse" && Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) > MOVED_PX) this.hide();
      },
      onpointerup: () => clearTimeout(this.timer),
      onpointercancel: () => this.hide(),
      onpointerleave: (event: PointerEvent) => {
        if (event.pointerType === "mouse") this.hide();
      },
      oncontextmenu: (event: Event) => {
        if (this.pressed) event.preventDefault();
      },
      onfocus: (event: FocusEvent) => {
        const spot = event.currentTarget as Element;
        if (spot.matches(":focus-visible")) this.show(bet, spot);
      },
      onblur: () => this.hide(),
    };
  }

  /** Whether the tap that has just ended was a long press, and so no bet. */
  read(): boolean {
    const { pressed } = this;
    this.pressed = false;
    return pressed;
  }

  hide(): void {
    clearTimeout(this.timer);
    this.shown = null;
  }

  private soon(bet: string, spot: Element, ms: number, press = false): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.pressed = press;
      this.show(bet, spot);
    }, ms);
  }

  private show(bet: string, spot: Element): void {
    clearTimeout(this.timer);
    this.shown = { bet, at: spot.getBoundingClientRect() };
  }
}
