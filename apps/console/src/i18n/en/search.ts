/** Texts of the palette that finds objects. */
export const search = {}
