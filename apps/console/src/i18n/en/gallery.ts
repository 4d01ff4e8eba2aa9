/** Texts of the page of all shared parts. */
export const gallery = {}
