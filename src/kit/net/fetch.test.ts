import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer as createSocketServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { privateEndpoints } from '#test/support/services/private_endpoints.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { createOutgoing, faultOfEndpoint, isPublicAddress, publicLookup } from './fetch.ts'

const FLIPS = 1_000
const guarded = { https_only: false, allow_private: false }

describe('an endpoint is rejected by how it is written', () => {
  for (const text of privateEndpoints) {
    test(JSON.stringify(text).slice(0, 40), () => {
      assert.equal(typeof faultOfEndpoint(text, guarded), 'string')
    })
  }
})

describe('an endpoint is accepted', () => {
  for (const text of [
    'https://example.com/hook?key=1',
    'https://example.com:8443/',
    'http://1.1.1.1/',
    'https://[2606:4700::1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://xn--bcher-kva.example.com/',
  ]) {
    test(text, () => assert.equal(faultOfEndpoint(text, guarded), undefined))
  }
  test('on loopback where private addresses are allowed, over https only in live', () => {
    const policy = { https_only: false, allow_private: true }
    assert.equal(faultOfEndpoint('http://127.0.0.1:4000/', policy), undefined)
    const live = { https_only: true, allow_private: false }
    assert.match(faultOfEndpoint('http://example.com/', live) ?? '', /https/)
  })
})

test('only addresses that anyone can reach are public', () => {
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
  for (const address of [
    '',
    'x',
    'fe80::1%lo',
    '::ffff:10.0.0.1',
    '::8.8.8.8',
    '3fff::1',
    '0',
    '168.63.129.16',
  ]) {
    assert.equal(isPublicAddress(address), false, address)
  }
})

const servers: { close: () => unknown }[] = []
const opened: ReturnType<typeof createOutgoing>[] = []
after(async () => {
  for (const outgoing of opened) await outgoing.close()
  for (const server of servers) server.close()
})

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function serve(listener: RequestListener): Promise<{ url: string; port: number }> {
  const server = createServer(listener)
  servers.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${portOf(server)}/`, port: portOf(server) }
}

function open(options: Parameters<typeof createOutgoing>[0]) {
  const outgoing = createOutgoing(options)
  opened.push(outgoing)
  return outgoing
}

const call = { headers: {}, body: '{}', allow_private: true }
type Addresses = { address: string; family: number }[]

/** Resolves names to the given addresses and counts the calls. */
function names(answer: (count: number) => Addresses) {
  let count = 0
  const lookup: LookupFunction = (_name, options, callback) => {
    const found = answer(count++)
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
  return { lookup, asked: () => count }
}

const loopback = { address: '127.0.0.1', family: 4 }

describe('a call that is guarded', () => {
  const hits: string[] = []
  const canary = serve(({ url }, response) => {
    hits.push(url ?? '')
    response.end()
  })

  test('reaches no literal private address, however it is spelled', async () => {
    const { port } = await canary
    const outgoing = open({})
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', '0']) {
      const url = `http://${host}:${port}/`
      const outcome = await outgoing.post({ ...call, url, allow_private: false })
      assert.deepEqual(outcome, { kind: 'unanswered', error: 'address refused' }, host)
    }
    assert.deepEqual(hits, [])
  })

  test('rejects each address that a registration rejects, when it comes to a call', async () => {
    const outgoing = open({ lookup: names(() => [loopback]).lookup })
    const literals = privateEndpoints.filter((text) => {
      const [, host = ''] = /^http:\/\/([^/\s]+)\/$/.exec(text) ?? []
      return host !== '' && URL.canParse(text)
    })
    assert.ok(literals.length > 40)
    for (const url of literals) {
      const outcome = await outgoing.post({ ...call, url, allow_private: false })
      assert.deepEqual(outcome, { kind: 'unanswered', error: 'address refused' }, url)
    }
    assert.deepEqual(hits, [])
  })

  test('reaches no name that resolves to private addresses, by A or by AAAA', async () => {
    const { port } = await canary
    for (const addresses of [
      [loopback],
      [{ address: '::1', family: 6 }],
      [{ address: '::ffff:127.0.0.1', family: 6 }, loopback],
      [],
    ]) {
      const { lookup, asked } = names(() => addresses)
      const url = `http://hook.example.com:${port}/`
      const outcome = await open({ lookup }).post({ ...call, url, allow_private: false })
      assert.deepEqual(outcome, { kind: 'unanswered', error: 'address refused' })
      assert.equal(asked(), 1)
    }
    assert.deepEqual(hits, [])
  })

  test('is judged by the very answer it connects to, so a name that flips gains nothing', async () => {
    const { port } = await canary
    const { lookup } = names((count) => [
      count % 2 ? loopback : { ...loopback, address: '0.0.0.0' },
    ])
    const outgoing = open({ lookup })
    for (let time = 0; time < FLIPS; time++) {
      const url = `http://flip${time}.example.com:${port}/`
      const outcome = await outgoing.post({ ...call, url, allow_private: false })
      assert.equal(outcome.kind, 'unanswered')
    }
    assert.deepEqual(hits, [])
  })

  test('of a name with both kinds, sees the public addresses alone', async () => {
    const both = [{ address: '9.9.9.9', family: 4 }, loopback, { address: 'fd00::1', family: 6 }]
    const lookup = publicLookup(names(() => both).lookup)
    const all = await new Promise((resolve) =>
      lookup('both.example.com', { all: true }, (_error, found) => resolve(found)),
    )
    assert.deepEqual(all, [{ address: '9.9.9.9', family: 4 }])
    const one = await new Promise((resolve) =>
      lookup('both.example.com', {}, (_error, address) => resolve(address)),
    )
    assert.equal(one, '9.9.9.9')
  })

  test('control: the same calls where loopback is allowed do arrive', async () => {
    const { port } = await canary
    const { lookup } = names(() => [loopback])
    const outgoing = open({ lookup })
    await outgoing.post({ ...call, url: `http://127.0.0.1:${port}/literal` })
    await outgoing.post({ ...call, url: `http://hook.example.com:${port}/name` })
    assert.deepEqual(hits, ['/literal', '/name'])
  })
})

describe('a call that may reach this machine', () => {
  const never = [
    ...['0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254'],
    ...['168.63.129.16', '100.100.100.200', '224.0.0.1', '255.255.255.255', '::', 'fe80::1'],
    ...['fd00:ec2::254', '::ffff:10.0.0.1', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', 'ff02::1'],
  ]

  test('reaches no other address of a network that is not public', async () => {
    const outgoing = open({})
    for (const address of never) {
      const host = address.includes(':') ? `[${address}]` : address
      const outcome = await outgoing.post({ ...call, url: `http://${host}:9/` })
      assert.deepEqual(outcome, { kind: 'unanswered', error: 'address refused' }, address)
    }
  })

  test('reaches none by a name either', async () => {
    for (const address of never) {
      const family = address.includes(':') ? 6 : 4
      const { lookup } = names(() => [{ address, family }])
      const outcome = await open({ lookup }).post({ ...call, url: 'http://hook.example.com:9/' })
      assert.deepEqual(outcome, { kind: 'unanswered', error: 'address refused' }, address)
    }
  })
})

describe('the answer of an endpoint', () => {
  const post = async (listener: RequestListener, timeout_ms = PATIENCE_MS) => {
    const { url } = await serve(listener)
    return open({ timeout_ms }).post({ ...call, url })
  }

  test('is its status and the start of its body', async () => {
    const outcome = await post((_, response) => response.writeHead(201).end('made'))
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.status, 201)
    assert.equal(outcome.body.toString(), 'made')
  })

  test('is read to 64 KiB and not a byte further, be it endless', async () => {
    let sent = 0
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const outcome = await post((_, response) => {
      const pour = () => {
        while (!response.destroyed && sent < 1e8 && response.write(chunk)) sent += chunk.length
      }
      response.on('drain', pour)
      pour()
    })
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.body.length, 64 * 1024)
    assert.ok(sent < 2e7, `${sent} bytes were sent`)
  })

  test('counts by its status when the body drips on past the time', async () => {
    const outcome = await post((_, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }, 2_000)
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.status, 200)
  })

  test('is not followed to another place', async () => {
    let arrived = false
    const { url } = await serve((_, response) => {
      arrived = true
      response.end()
    })
    const outcome = await post((_, response) => response.writeHead(301, { location: url }).end())
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.status, 301)
    assert.equal(arrived, false)
  })

  test('that never comes is a timeout', async () => {
    assert.deepEqual(await post(() => {}, 100), { kind: 'unanswered', error: 'timeout' })
  })

  test('that is cut off or rejected reports that', async () => {
    const cut = await post((request) => request.socket.resetAndDestroy())
    assert.deepEqual(cut, { kind: 'unanswered', error: 'connection reset' })
    const outcome = await open({}).post({ ...call, url: 'http://127.0.0.1:1/' })
    assert.deepEqual(outcome, { kind: 'unanswered', error: 'connection refused' })
  })

  test('of endless interim answers or headers ends in time', async () => {
    const flood = createSocketServer((socket) => {
      socket.on('error', () => {})
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 1)
      socket.on('close', () => clearInterval(timer))
    })
    servers.push(flood)
    flood.listen(0, '127.0.0.1')
    await once(flood, 'listening')
    const url = `http://127.0.0.1:${(flood.address() as AddressInfo).port}/`
    const outcome = await open({ timeout_ms: 300 }).post({ ...call, url })
    assert.equal(outcome.kind, 'unanswered')
    const large = await post((_, response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end(),
    )
    assert.deepEqual(large, { kind: 'unanswered', error: 'headers too large' })
  })

  test('over TLS with a certificate that is not trusted, or none at all, is rejected', async () => {
    const { port } = await serve((_, response) => response.end())
    const outcome = await open({}).post({ ...call, url: `https://127.0.0.1:${port}/` })
    assert.deepEqual(outcome, { kind: 'unanswered', error: 'TLS failed' })
  })
})
