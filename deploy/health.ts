/**
 * The health check of the image (D-677): ends with exit code 0 where the process of this container
 * runs, as `GET /healthz` at ADMIN_PORT answers, and with 1 otherwise. It reads no other setting,
 * so that it costs little.
 */

const LONGEST_MS = 4_000

const port = process.env['ADMIN_PORT']
try {
  const signal = AbortSignal.timeout(LONGEST_MS)
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal })
  console.log(`GET /healthz: ${status}`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  console.log(`GET /healthz: no answer (${cause instanceof Error ? cause.message : cause})`)
  process.exitCode = 1
}
