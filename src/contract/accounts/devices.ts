import { z } from 'zod';
import { deviceLifetimeMs, pollSeconds } from '../../model/accounts/devices.ts';
import { created, endpoint, ok } from '../endpoint.ts';
import { nameText, text, timestamp, uri } from '../fields.ts';

const minutes = deviceLifetimeMs / 60_000;
const deviceCode = 'lfd_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const userCode = 'WDJB-MJHT';
const codeField = text(1, 40).describe(
  'Code that the program shows, case-insensitive, with or without the hyphen.',
);
const forMembers = { key: 'any', person: true } as const;
const name = 'linkfold on ada-laptop';

export const deviceEndpoints = {
  beginDevice: endpoint('POST', '/devices', {
    access: { key: 'none' },
    isRepeatable: false,
    summary: 'Start a device sign-in',
    description: `For a program without a browser, following RFC 8628. Show the URL and the code to the user, then poll \`/devices/token\` until they approve or deny, for up to ${minutes} minutes. Limit: 60 requests per minute per IP address.`,
    body: {
      name: nameText(1, 100).describe('Name of the program, shown to the user and used as the key’s name.'),
    },
    success: {
      ...created(
        'Ask the user to open the URL.',
        {
          data: z.object({
            deviceCode: z.string().describe('Secret for polling. It is shown only once.'),
            userCode: z.string().describe('Code that the user compares or enters.'),
            verificationUri: uri('URL where the user approves or denies the request.'),
            verificationUriComplete: uri('The same URL including the code.'),
            expiresIn: z.int().describe('Seconds until the request expires.'),
            interval: z.int().describe('Minimum seconds between two polls.'),
          }),
        },
        {
          data: {
            deviceCode,
            userCode,
            verificationUri: 'https://go.example.com/dashboard/device',
            verificationUriComplete: `https://go.example.com/dashboard/device?code=${userCode}`,
            expiresIn: minutes * 60,
            interval: pollSeconds,
          },
        },
      ),
      showsSecret: true,
    },
    exampleRequest: { body: { name } },
  }),
  takeDeviceKey: endpoint('POST', '/devices/token', {
    access: { key: 'none' },
    isRepeatable: false,
    summary: 'Poll a device sign-in',
    description:
      'The status is `pending` until the user approves or denies. The result is returned only once: if `approved`, it includes a key that acts as the user, is limited by their role, and expires after 90 days.',
    body: { deviceCode: text(1, 100).describe('The device code from `POST /devices`.') },
    success: {
      ...ok(
        'Status of the sign-in.',
        {
          data: z.object({
            status: z.enum(['pending', 'denied', 'approved']),
            key: z.string().nullable().describe('The API key; null unless approved. It is shown only once.'),
            account: z.string().nullable().describe('Account of the key; null without a key.'),
            expiresAt: timestamp('When the key expires; null without a key.').nullable(),
          }),
        },
        { data: { status: 'pending', key: null, account: null, expiresAt: null } },
      ),
      showsSecret: true,
    },
    exampleRequest: { body: { deviceCode } },
    failures: ['DEVICE_CODE_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  describeDevice: endpoint('POST', '/devices/describe', {
    access: forMembers,
    changes: false,
    summary: 'Describe a device sign-in',
    description: 'Returns the program that is requesting to sign in, given the code that it shows.',
    body: { userCode: codeField },
    success: ok(
      'The program that is requesting to sign in.',
      {
        data: z.object({
          name: z.string().describe('Name that the program gives itself. It is not verified.'),
          expiresAt: timestamp('When the request expires.'),
        }),
      },
      { data: { name, expiresAt: '2027-03-01T08:10:00.000Z' } },
    ),
    exampleRequest: { body: { userCode } },
    failures: ['DEVICE_CODE_NOT_FOUND'],
  }),
  answerDevice: endpoint('POST', '/devices/answer', {
    access: forMembers,
    priority: 'read',
    isRepeatable: false,
    summary: 'Approve or deny a device sign-in',
    description:
      'Works once. Not available to members restricted to domains or folders. For approval, the session must have been verified within the last 15 minutes.',
    body: {
      userCode: codeField,
      approve: z.boolean().describe('Whether to give the program a key that acts as you.'),
    },
    success: ok(
      'The decision was recorded.',
      { data: z.object({ approved: z.boolean() }) },
      { data: { approved: true } },
    ),
    exampleRequest: { body: { userCode, approve: true } },
    failures: ['DEVICE_CODE_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
} as const;
