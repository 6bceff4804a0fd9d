/** Whether this person wants no motion. Asked anew each time: it can change while the page is open. */
export const calm = (): boolean => typeof matchMedia !== "undefined" && matchMedia("(prefers-reduced-motion: reduce)").matches;
