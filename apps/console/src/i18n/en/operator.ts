/** Texts of the pages of the operator. */
export const operator = {}
