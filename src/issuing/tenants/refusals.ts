/** Every way this slice says no beside the kit's own, and the HTTP status that carries it. */
export const tenantRefusals = {
  id_taken: 409,
} as const
