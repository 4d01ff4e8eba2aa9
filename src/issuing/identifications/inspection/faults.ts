/** A file that is not of its declared type. The message goes to the client. */
export class FileFault extends Error {
  override name = 'FileFault'
}
