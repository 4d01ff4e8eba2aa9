/** Texts of the receiver for trying webhooks. */
export const receiver = {}
