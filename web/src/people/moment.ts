/** A time as the desk shows it: day, hour and minute, where the reader is. */
export const moment = (text: string): string => new Date(text).toLocaleString("sv").slice(0, 16);
