/** Texts of the day of traffic and the clock. */
export const traffic = {}
