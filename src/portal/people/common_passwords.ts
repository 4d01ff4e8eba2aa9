/** The commonest passwords, of zxcvbn-ts (D-573). */

let known: Promise<ReadonlySet<string>> | undefined

/**
 * The passwords in lower case. They are read at the first registration, because the list takes some
 * megabytes.
 */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase())),
  )
  return known
}
