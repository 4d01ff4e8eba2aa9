/** The texts of another language: the same keys. */
export type Texts<Of> = { [Key in keyof Of]: Of[Key] extends string ? string : Texts<Of[Key]> }
