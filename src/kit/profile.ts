/**
 * The differences between the modes of a deployment, as data (D-378). A slice declares the members
 * that it reads, and each mode has a value for all of them (program/modes). Use cases read these
 * and never the mode.
 */
export interface Profile {
  /** The clock of a tenant may be moved (D-70). */
  readonly moves_clocks: boolean
}
