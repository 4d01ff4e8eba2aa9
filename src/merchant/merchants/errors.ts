/** How the operations on merchants say no, and the HTTP status that carries it. */
export const merchantErrors = {
  id_taken: 409,
} as const
