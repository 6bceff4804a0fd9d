/** Whether this person wants reduced motion. Checked each time, because it can change while the page is open. */
export const calm = (): boolean => typeof matchMedia !== "undefined" && matchMedia("(prefers-reduced-motion: reduce)").matches;
