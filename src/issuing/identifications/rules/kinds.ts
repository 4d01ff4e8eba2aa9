/** The kinds of files that are accepted (spec "Limits"), with every name of each. */

export type Kind = 'pdf' | 'jpeg' | 'png' | 'bmp' | 'doc' | 'docx'

type KindNames = {
  extensions: readonly string[]
  /** Media types that clients may send; the first is the one that is returned. */
  content_types: readonly [string, ...string[]]
  /** Media types that the package file-type derives from the first bytes. */
  first_bytes: readonly string[]
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export const kinds: Readonly<Record<Kind, KindNames>> = {
  pdf: {
    extensions: ['pdf'],
    content_types: ['application/pdf'],
    first_bytes: ['application/pdf'],
  },
  jpeg: {
    extensions: ['jpg', 'jpeg'],
    content_types: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
    first_bytes: ['image/jpeg'],
  },
  png: {
    extensions: ['png'],
    content_types: ['image/png', 'image/x-png'],
    first_bytes: ['image/png', 'image/apng'],
  },
  bmp: {
    extensions: ['bmp'],
    content_types: ['image/bmp', 'image/x-ms-bmp', 'image/x-bmp'],
    first_bytes: ['image/bmp'],
  },
  doc: {
    extensions: ['doc'],
    content_types: ['application/msword'],
    first_bytes: ['application/x-cfb'],
  },
  docx: {
    extensions: ['docx'],
    content_types: [OPEN_XML],
    // How much of an archive must be read to know it depends on the program that packed it.
    first_bytes: [OPEN_XML, 'application/zip'],
  },
}

const known = Object.keys(kinds) as Kind[]

export const contentTypeOf = (kind: Kind): string => kinds[kind].content_types[0]

/** Every type that a file may be served as. */
export const contentTypes: readonly string[] = known.map(contentTypeOf)

export const extensions: readonly string[] = known.flatMap((kind) => kinds[kind].extensions)

export const kindOfExtension = (extension: string): Kind | undefined =>
  known.find((kind) => kinds[kind].extensions.includes(extension.toLowerCase()))

/** Undefined for a type that is not accepted; parameters behind a semicolon do not count. */
export const kindOfContentType = (content_type: string): Kind | undefined => {
  const [type = ''] = content_type.toLowerCase().split(';')
  return known.find((kind) => kinds[kind].content_types.includes(type.trim()))
}
