/** The responder of the bench, a process of its own: it approves after so many milliseconds. */

import { createServer } from 'node:http'

const DELAY_MS = Number(process.argv[2])

const server = createServer((request, response) => {
  request.resume()
  setTimeout(() => response.end('{"approved":true}'), DELAY_MS)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.once('disconnect', () => process.exit(0))
