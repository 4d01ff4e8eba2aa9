/** Texts of reviews. */
export const reviews = {}
