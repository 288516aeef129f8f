import { describe, expect, it } from '@jest/globals';
import { isLinkDestination } from '../spark/sealing/content.js';
import { isPrivateDestination } from './destination.js';

const isPrivate = (url: string) => isPrivateDestination(new URL(url).hostname);

describe('LNK-13 OPEN-26: isPrivateDestination', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://100.127.255.255/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.0.0.8/',
    'http://192.0.2.1/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://198.51.100.7/',
    'http://203.0.113.9/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[0:0:0:0:0:0:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[100::1]/',
    'http://[2001::1]/',
    'http://[2001:db8::1]/',
    'http://[2002:7f00:1::]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://app.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://intranet/',
    'http://router.lan./',
    'http://nas.home.arpa/',
  ])('%s', (url) => {
    expect(isLinkDestination(url)).toBe(true);
    expect(isPrivate(url)).toBe(true);
  });

  it.each([
    'http://example.com/',
    'http://localhost.example.com/',
    'http://notlocalhost.com/',
    'http://internal.example/',
    'http://8.8.8.8/',
    'http://100.63.255.255/',
    'http://100.128.0.1/',
    'http://172.15.255.255/',
    'http://172.32.0.1/',
    'http://192.169.0.1/',
    'http://11.0.0.1/',
    'http://[2606:4700:4700::1111]/',
    'http://[2001:4860:4860::8888]/',
    'http://[2a00:1450::1]/',
    'http://10.0.0.1.example.com/',
  ])('is false for %s', (url) => expect(isPrivate(url)).toBe(false));
});
