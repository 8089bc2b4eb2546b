import { z } from 'zod';
import { deviceLifetimeMs, pollSeconds } from '../../model/accounts/devices.ts';
import { endpoint } from '../endpoint.ts';
import { nameText, text, timestamp } from '../fields.ts';

const minutes = deviceLifetimeMs / 60_000;
const deviceCode = 'lfd_m2v5X0qTzKd81bRjWc7HnPy4GfLs9AeUm2v5X0qTzKd';
const userCode = 'WDJB-MJHT';
const codeField = text(1, 40).describe('What the program shows, in any case, with or without its hyphen.');
const forPeople = { key: 'any', person: true } as const;
const name = 'linkfold on ada-laptop';

export const deviceEndpoints = {
  beginDevice: endpoint({
    method: 'POST',
    path: '/devices',
    access: { key: 'none' },
    priority: 'read',
    isRepeatable: false,
    summary: 'Begin to sign a program in',
    description: `For a program without a browser, in the shape of RFC 8628: it shows the address and the code, and asks at \`/devices/token\` until a person has answered, within ${minutes} minutes. One address may ask 60 times a minute.`,
    body: {
      name: nameText(1, 100).describe('What the person is told wants to sign in; the key is called so.'),
    },
    success: {
      status: 201,
      showsSecret: true,
      description: 'A person is to open the address.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          deviceCode: z.string().describe('What the program asks with. It is shown only this once.'),
          userCode: z.string().describe('What the person compares, or types.'),
          verificationUri: z.string().meta({ description: 'Where the person answers.', format: 'uri' }),
          verificationUriComplete: z
            .string()
            .meta({ description: 'The same with the code in it.', format: 'uri' }),
          expiresIn: z.int().describe('For how long it can be answered, seconds.'),
          interval: z.int().describe('From one question to the next, seconds.'),
        }),
      }),
      example: {
        success: true,
        data: {
          deviceCode,
          userCode,
          verificationUri: 'https://go.example.com/dashboard/device',
          verificationUriComplete: `https://go.example.com/dashboard/device?code=${userCode}`,
          expiresIn: minutes * 60,
          interval: pollSeconds,
        },
      },
    },
    exampleRequest: { body: { name } },
    failures: [],
  }),
  takeDeviceKey: endpoint({
    method: 'POST',
    path: '/devices/token',
    access: { key: 'none' },
    priority: 'read',
    isRepeatable: false,
    summary: 'Ask whether a person has answered',
    description:
      'Until then the status is `pending`. The answer is told once: with `approved` comes a key that may do what the person may, is bounded by their role, and ends after 90 days.',
    body: { deviceCode: text(1, 100).describe('From when the program began.') },
    success: {
      status: 200,
      showsSecret: true,
      description: 'What has become of it.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          status: z.enum(['pending', 'denied', 'approved']),
          key: z.string().nullable().describe('Null unless it is approved. It is shown only this once.'),
          account: z.string().nullable().describe('The account of the key; null without one.'),
          expiresAt: timestamp('When the key ends; null without one.').nullable(),
        }),
      }),
      example: { success: true, data: { status: 'pending', key: null, account: null, expiresAt: null } },
    },
    exampleRequest: { body: { deviceCode } },
    failures: ['DEVICE_CODE_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  describeDevice: endpoint({
    method: 'POST',
    path: '/devices/describe',
    access: forPeople,
    priority: 'read',
    changes: false,
    summary: 'Tell what wants to sign in',
    description: 'For the person who is asked, by the code that the program shows.',
    body: { userCode: codeField },
    success: {
      status: 200,
      description: 'What wants to sign in.',
      body: z.object({
        success: z.literal(true),
        data: z.object({
          name: z.string().describe('What the program calls itself. Anybody can call themselves anything.'),
          expiresAt: timestamp('Until when it can be answered.'),
        }),
      }),
      example: { success: true, data: { name, expiresAt: '2027-03-01T08:10:00.000Z' } },
    },
    exampleRequest: { body: { userCode } },
    failures: ['DEVICE_CODE_NOT_FOUND'],
  }),
  answerDevice: endpoint({
    method: 'POST',
    path: '/devices/answer',
    access: forPeople,
    priority: 'read',
    isRepeatable: false,
    summary: 'Let a program sign in, or turn it away',
    description:
      'Once. A person who is bound to domains or folders cannot. To approve, the session must have begun within 15 minutes.',
    body: {
      userCode: codeField,
      approve: z.boolean().describe('Whether the program gets a key that acts as the person.'),
    },
    success: {
      status: 200,
      description: 'It is answered.',
      body: z.object({ success: z.literal(true), data: z.object({ approved: z.boolean() }) }),
      example: { success: true, data: { approved: true } },
    },
    exampleRequest: { body: { userCode, approve: true } },
    failures: ['DEVICE_CODE_NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
  }),
} as const;
