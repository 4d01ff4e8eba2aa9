/** How the operations on merchants say no, and the HTTP status that carries it. */
export const merchantRefusals = {
  id_taken: 409,
} as const
