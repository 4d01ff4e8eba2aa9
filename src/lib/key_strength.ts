/** Whether a key was made by chance. */

/**
 * Why a key is too weak to wrap others, or null. Thirty-two random bytes have fewer than twenty
 * different values less than once in 10^9 keys; keys typed by hand, repeated or counted up do.
 */
export function weaknessOfKey(hex: string): string | null {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return 'must be 64 hexadecimal characters (32 bytes)'
  const bytes = Buffer.from(hex, 'hex')
  const steps = bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0))
  if (new Set(bytes).size < 20 || new Set(steps).size < 4) return 'is too regular to be random'
  return null
}
