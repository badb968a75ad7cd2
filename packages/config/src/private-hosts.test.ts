import { isPrivateHost } from './private-hosts.js';

describe('isPrivateHost', () => {
  it.each([
    'localhost',
    'db',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[fd00::1]',
    'api.svc',
    'nas.local',
    'x.internal.',
  ])('finds %s private', (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  it.each(['acme.example', '8.8.8.8', '[2606:4700::1]', 'local.acme.example', '172.32.0.1'])('does not find %s private', (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });
});
