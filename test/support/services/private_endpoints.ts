/** Endpoints that are known not to be public by their written form alone. */

const plain = `
  http://127.0.0.1/ http://127.1/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/
  http://0x7f.1/ http://0/ http://0.0.0.0/ http://[::]/ http://[::1]/ http://[::ffff:127.0.0.1]/
  http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://169.254.169.254/
  http://[::ffff:169.254.169.254]/ http://169.254.170.2/ http://[fd00:ec2::254]/
  http://100.100.100.200/ http://10.0.0.1/ http://10.255.255.255/ http://172.16.0.1/
  http://172.31.255.255/ http://192.168.1.1/ http://100.64.0.1/ http://192.0.0.1/
  http://192.0.2.1/ http://192.88.99.1/ http://198.18.0.1/ http://198.51.100.1/
  http://203.0.113.1/ http://224.0.0.1/ http://240.0.0.1/ http://255.255.255.255/
  http://[fc00::1]/ http://[fe80::1]/ http://[fec0::1]/ http://[ff02::1]/
  http://[64:ff9b::7f00:1]/ http://[64:ff9b:1::1]/ http://[2001::1]/ http://[2002:7f00:1::]/
  http://[2001:db8::1]/ http://[100::1]/ http://[5f00::1]/ http://[4000::1]/
  http://localhost/ http://LOCALHOST/ http://localhost./ http://a.localhost/ http://printer/
  http://db.internal/ http://nas.local/ http://①②⑦.⓪.⓪.①/ http://127。0。0。1/
  https://user@example.com/ https://user:pw@example.com/ https://example.com#@10.0.0.1/
  https://example.com:22/ https://example.com:25/ https://example.com:5432/
  https://example.com:6379/ https://example.com:9999/
  file:///etc/passwd gopher://example.com/ ftp://example.com/ data:text/plain,hello
  unix:/var/run/docker.sock javascript:alert(1) //example.com/ example.com /hook https:// http:///`

export const privateEndpoints: readonly string[] = [
  ...plain.trim().split(/\s+/),
  'http://127.0.0\t.1/',
  'https://exam\nple.com/',
  'https://example.com/\r\nhost: x',
  ' https://example.com/',
  `https://example.com/${'x'.repeat(3000)}`,
  '',
]
