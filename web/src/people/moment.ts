/** A time as the desk shows it: day, hour and minute, in the reader's time zone. */
export const moment = (text: string): string => new Date(text).toLocaleString("sv").slice(0, 16);
