/** The ways to the bureau: OpenSSH's server and a folder, and what is wrong with either. */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { protection } from '#issuing/card_orders/file/protection.ts'
import { type Bureau, BureauFault } from '#issuing/card_orders/provider.ts'
import { Secret } from '#lib/secret.ts'
import { joined } from '#test/support/clearing/files.ts'
import { keeper, keepIn } from '#test/support/keeper.ts'
import { openBureau } from '#test/support/services/bureau.ts'
import { openRelay } from '#test/support/services/relay.ts'
import { missingSshd, openSshd } from '#test/support/services/sshd.ts'
import { readAdapters } from '../adapter.ts'
import { registry } from '../registry.ts'
import { openSftp, openSftpFolder } from './sftp.ts'

const keep = keeper()
const place = keep(openBureau())
const folder = mkdtempSync(join(tmpdir(), 'bezant-bureau-'))

const disk = join(folder, 'small')
mkdirSync(disk)
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status === 0
after(() => {
  if (isMounted) execFileSync('umount', [disk])
  rmSync(folder, { recursive: true, force: true })
})
const missingDisk = !isMounted && 'needs to mount a small disk'

function read(env: Record<string, string>): { bureau: Bureau | undefined; faults: string } {
  const faults: string[] = []
  const [configured] = readAdapters(registry, env, { live: true, faults })
  return { bureau: configured?.open().bureau, faults: faults.join('\n') }
}

function opened(env: Record<string, string>): Bureau {
  const { bureau, faults } = read({ ...place.env, ...env })
  assert.equal(faults, '')
  assert.ok(bureau)
  return bureau
}

async function* once(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

const fault = (pattern: RegExp) => (error: unknown) =>
  error instanceof BureauFault && pattern.test(error.message)

/** Everything that the way of a batch asks of a place. */
async function promises(bureau: Bureau): Promise<void> {
  await using transport = await bureau.open()
  assert.equal(await transport.size('.a.1'), undefined)
  await transport.write('.a.1', once('first, longer'))
  await transport.write('.a.1', once('one ', 'two'))
  assert.equal(await transport.size('.a.1'), 7)
  await transport.rename('.a.1', 'a')
  assert.deepEqual([await transport.size('.a.1'), await transport.size('a')], [undefined, 7])
  assert.equal(readFileSync(join(folder, 'a'), 'utf8'), 'one two')
  await transport.remove('a')
  await transport.write('.b.1', once('left over'))
  await transport.remove('.b.1')
  await transport.remove('.b.1')
  assert.equal(await transport.size('.b.1'), undefined)
  writeFileSync(join(folder, 'x.rsp'), 'hello')
  assert.ok((await transport.answers()).includes('x.rsp'))
  assert.equal((await transport.read('x.rsp', 5)).toString(), 'hello')
  await assert.rejects(transport.read('x.rsp', 4), fault(/more than 4 bytes/))
  await transport.putAway('x.rsp', 'x.rsp.done')
  await transport.putAway('x.rsp', 'x.rsp.done')
  assert.ok(readdirSync(folder).includes('x.rsp.done'))
}

describe('a folder', () => {
  test('takes a file under one name, then under another, and gives answers', async () => {
    await promises(opened({ BUREAU_FOLDER: folder }))
  })

  test('that is not there is a fault with the code of the system', async () => {
    const missing = opened({ BUREAU_FOLDER: join(folder, 'nowhere') })
    await using transport = await missing.open()
    await assert.rejects(transport.write('a', once('x')), fault(/cannot write to .*ENOENT/))
    await assert.rejects(transport.answers(), fault(/cannot list .*ENOENT/))
  })

  test('whose disk is full says so', { skip: missingDisk }, async () => {
    await using transport = await opened({ BUREAU_FOLDER: disk }).open()
    const large = transport.write('a', once('x'.repeat(200_000)))
    await assert.rejects(large, fault(/ENOSPC: the disk is full/))
  })
})

describe('SFTP', { skip: missingSshd }, async () => {
  const sshd = keep(await openSshd())
  const at = (fields: object = {}) => ({
    BUREAU_FOLDER: '',
    BUREAU_SFTP: `sftp://${sshd.user}@${sshd.host}:${sshd.port}${folder}`,
    BUREAU_SFTP_HOST_KEY: sshd.host_key,
    BUREAU_SFTP_KEY: sshd.key,
    ...fields,
  })

  test('takes a file under one name, then under another, and gives answers', async () => {
    await promises(opened(at()))
  })

  test('renames over no file that is there', async () => {
    await using transport = await opened(at()).open()
    await transport.write('.c.1', once('mine'))
    await transport.write('c', once('theirs'))
    await assert.rejects(transport.rename('.c.1', 'c'), fault(/cannot rename in/))
    assert.equal(readFileSync(join(folder, 'c'), 'utf8'), 'theirs')
  })

  test('sends nothing to a host with another key', async () => {
    const other = opened(at({ BUREAU_SFTP_HOST_KEY: `SHA256:${'A'.repeat(43)}` }))
    await assert.rejects(
      other.open(),
      fault(/the host key of 127.0.0.1 is SHA256:.*, not SHA256:A{43}/),
    )
  })

  test('that does not let our key in, or is not there, is a fault without a secret', async () => {
    const other = opened(at({ BUREAU_SFTP_KEY: sshd.other_key }))
    await assert.rejects(other.open(), fault(/cannot connect to 127.0.0.1:\d+ \(.*authentication/i))
    const away = opened(at({ BUREAU_SFTP: `sftp://x@127.0.0.1:1${folder}` }))
    await assert.rejects(away.open(), fault(/cannot connect to 127.0.0.1:1 \(.*ECONNREFUSED/))
    const broken = opened(at({ BUREAU_SFTP_KEY: 'no key' }))
    await assert.rejects(broken.open(), fault(/cannot connect to/))
  })

  test('whose account has another password is a fault without it', async () => {
    using asking = await openSshd({ passwords: true })
    const { BUREAU_SFTP_KEY: _key, ...others } = at({
      BUREAU_SFTP: `sftp://${asking.user}@${asking.host}:${asking.port}${folder}`,
      BUREAU_SFTP_HOST_KEY: asking.host_key,
      BUREAU_SFTP_PASSWORD: 'wrong secret',
    })
    await assert.rejects(opened(others).open(), (error) => {
      assert.ok(error instanceof BureauFault)
      assert.match(error.message, /cannot connect to 127.0.0.1:\d+ \(.*authentication/i)
      return !error.message.includes('wrong secret')
    })
  })

  test('that lets nobody write says that permission is denied', async () => {
    using denying = await openSshd({ readOnly: true })
    const url = `sftp://${denying.user}@${denying.host}:${denying.port}${folder}`
    const { host_key: BUREAU_SFTP_HOST_KEY, key: BUREAU_SFTP_KEY } = denying
    const denied = opened(at({ BUREAU_SFTP: url, BUREAU_SFTP_HOST_KEY, BUREAU_SFTP_KEY }))
    await using transport = await denied.open()
    await assert.rejects(transport.write('a', once('x')), fault(/cannot write to .*denied/i))
    await assert.rejects(transport.rename('a', 'b'), fault(/cannot rename in .*denied/i))
  })

  test('whose disk is full is a fault that says what it may be', {
    skip: missingDisk,
  }, async () => {
    const url = `sftp://${sshd.user}@${sshd.host}:${sshd.port}${disk}`
    await using transport = await opened(at({ BUREAU_SFTP: url })).open()
    const large = transport.write('a', once('x'.repeat(200_000)))
    await assert.rejects(large, fault(/\d+ of the 200000 bytes .*disk may be full/))
  })

  test('that falls silent is a fault, before it lets us in and after it', async () => {
    await using stack = new AsyncDisposableStack()
    const relay = keepIn(stack, await openRelay(sshd.port))
    const settings = {
      ...{ host: sshd.host, port: relay.port, user: sshd.user, folder },
      ...{ host_key: sshd.host_key, key: new Secret(sshd.key), password: null },
    }
    const limits = { connect_ms: 30_000, step_ms: 500, file_ms: 500 }
    await using transport = await openSftp(settings, folder, limits)
    relay.set({ isSilent: true })
    const silent = fault(/the server did not answer within 0.5 s/)
    await assert.rejects(transport.write('silent', once('x')), silent)
    await assert.rejects(transport.answers(), fault(/cannot list .*/))
    const unheard = openSftp(settings, folder, { ...limits, connect_ms: 500 })
    await assert.rejects(unheard, fault(/cannot connect to 127.0.0.1:\d+ \(.*time/i))
  })

  describe('a folder of a card network', () => {
    const settings = {
      ...{ host: sshd.host, port: sshd.port, user: sshd.user, folder },
      ...{ host_key: sshd.host_key, key: new Secret(sshd.key), password: null },
    }
    const isWanted = (name: string) => name.endsWith('.T112')

    test('gives its files in parts, and puts them away in place of earlier ones', async () => {
      const bytes = Buffer.alloc(300_000, 'clearing ')
      writeFileSync(join(folder, 'a.T112'), bytes)
      mkdirSync(join(folder, 'b.T112'))
      symlinkSync(join(folder, 'a.T112'), join(folder, 'c.T112'))
      await using opened = await openSftpFolder(settings)
      const [found, ...others] = await opened.list(isWanted)
      assert.deepEqual([found?.name, found?.size, others], ['a.T112', bytes.length, []])
      assert.ok((await joined(opened.read('a.T112'))).equals(bytes))
      writeFileSync(join(folder, 'a.T112.done'), 'earlier')
      await opened.putAway('a.T112', 'a.T112.done')
      await opened.putAway('a.T112', 'a.T112.done')
      assert.ok(readFileSync(join(folder, 'a.T112.done')).equals(bytes))
      await assert.rejects(joined(opened.read('a.T112')), fault(/cannot read .*a.T112/))
    })

    test('at a host with another key is not opened', async () => {
      const other = { ...settings, host_key: `SHA256:${'A'.repeat(43)}` }
      await assert.rejects(openSftpFolder(other), fault(/the host key of 127.0.0.1 is/))
    })

    test('that falls silent, or is not there, is a fault', async () => {
      await using stack = new AsyncDisposableStack()
      const relay = keepIn(stack, await openRelay(sshd.port))
      writeFileSync(join(folder, 'd.T112'), Buffer.alloc(2_000_000))
      const limits = { connect_ms: 30_000, step_ms: 500 }
      await using opened = await openSftpFolder({ ...settings, port: relay.port }, limits)
      const chunks = opened.read('d.T112')[Symbol.asyncIterator]()
      await chunks.next()
      relay.set({ isSilent: true })
      const rest = async () => {
        while (!(await chunks.next()).done);
      }
      await assert.rejects(rest(), fault(/did not answer within 0.5 s/))
      const gone = { ...settings, folder: join(folder, 'nowhere') }
      await using empty = await openSftpFolder(gone)
      await assert.rejects(empty.list(isWanted), fault(/cannot list .*nowhere/))
    })
  })

  test('into a folder that is not there is a fault', async () => {
    const url = `sftp://${sshd.user}@${sshd.host}:${sshd.port}${folder}/nowhere`
    await using transport = await opened(at({ BUREAU_SFTP: url })).open()
    await assert.rejects(transport.write('a', once('x')), fault(/cannot write to .*nowhere/))
  })
})

describe('the keys', () => {
  const keys = {
    recipient: place.env['BUREAU_PGP_KEY'] ?? '',
    signer: new Secret(place.env['BUREAU_SIGNING_KEY'] ?? ''),
    passphrase: null,
  }

  test('protect the same bytes anew each time, which GnuPG reads back', async () => {
    const protect = await protection(keys)
    const clear = 'R,1\n'.repeat(50_000)
    const files: Buffer[] = []
    for (const name of ['one', 'two']) {
      const chunks: Uint8Array[] = []
      for await (const bytes of protect(once(clear), name)) chunks.push(bytes)
      files.push(Buffer.concat(chunks))
      writeFileSync(join(folder, name), Buffer.concat(chunks))
      assert.equal(place.decrypt(join(folder, name)), clear)
    }
    assert.ok(files[0] && files[1] && !files[0].equals(files[1]))
  })

  test('that are wrong are named, each by its side', async () => {
    const other = place.makeKey('other')
    const isOf = (what: RegExp) => fault(what)
    const wrong = { ...keys, recipient: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nnone' }
    await assert.rejects(protection(wrong), isOf(/the key of the bureau cannot be read/))
    await assert.rejects(
      protection({ ...keys, recipient: other.private_key }),
      isOf(/the key of the bureau is a private one/),
    )
    await assert.rejects(
      protection({ ...keys, signer: new Secret(other.public_key) }),
      isOf(/the signing key cannot be read/),
    )
  })
})

describe('settings', () => {
  const { BUREAU_FOLDER = '', ...others } = place.env

  test('without a place, no bureau is configured, and nothing else may be set', () => {
    assert.deepEqual(read({}), { bureau: undefined, faults: '' })
    assert.match(read(others).faults, /set BUREAU_SFTP or BUREAU_FOLDER/)
  })

  test('that lack something are one fault for each', () => {
    assert.match(
      read({ BUREAU_FOLDER }).faults,
      /BUREAU_PGP_KEY is missing[\s\S]*BUREAU_SIGNING_KEY is/,
    )
    const sftp = { ...others, BUREAU_SFTP: 'sftp://bank@host.example/in' }
    assert.match(
      read(sftp).faults,
      /BUREAU_SFTP_HOST_KEY is missing[\s\S]*BUREAU_SFTP needs either/,
    )
    assert.match(read({ ...sftp, BUREAU_FOLDER }).faults, /are both set: set one/)
  })

  test('of another shape are named without their values', () => {
    for (const [name, value] of [
      ['BUREAU_SFTP', 'sftp://bank:secret@host/in'],
      ['BUREAU_SFTP', 'ftp://bank@host/in'],
      ['BUREAU_ZPK', 'short'],
      ['BUREAU_PGP_KEY', 'hidden value'],
      ['BUREAU_LAYOUT', '{"form": "FIXED", "record": [{"field": "pan"}]}'],
      ['BUREAU_LAYOUT', '{"form": "SEPARATED", "record": [{"field": "pin"}]}'],
    ] as const) {
      const { faults } = read({ ...place.env, [name]: value })
      assert.match(faults, new RegExp(`^${name} `, 'm'))
      assert.doesNotMatch(faults, /hidden value/)
    }
  })
})
