/** The error codes of this slice and their HTTP statuses. */
export const vaultErrors = {
  pan_range_exhausted: 409,
  id_taken: 409,
} as const
