/** Texts of messages of the card network. */
export const wire = {}
