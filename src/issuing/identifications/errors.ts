/** Error codes of identifications with their HTTP statuses. */
export const identificationErrors = {
  id_taken: 409,
  user_terminated: 409,
  identification_limit_reached: 409,
  identification_has_files: 409,
  file_limit_reached: 409,
  file_held: 409,
  file_infected: 409,
} as const
