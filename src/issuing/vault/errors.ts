/** Every way this slice says no, and the HTTP status that carries it. */
export const vaultErrors = {
  pan_range_exhausted: 409,
  id_taken: 409,
} as const
