/** Why files of another party cannot be written, listed or read, in a sentence without a secret. */
export class PlaceFault extends Error {
  override name = 'PlaceFault'
}
