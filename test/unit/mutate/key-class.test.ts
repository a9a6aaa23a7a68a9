import { describe, expect, it } from 'vitest';
import { keyFacts } from '../../../src/mutate/key-class.ts';

describe('keyFacts', () => {
  it.each([
    ['id', 'id'],
    ['ID', 'id'],
    ['order_id', 'id'],
    ['orderId', 'id'],
    ['orderID', 'id'],
    ['orderid', 'id'],
    ['line_item_ids', 'id'],
    ['MessageSid', 'id'],
    ['data[object][id]', 'id'],
    ['X-GitHub-Delivery', 'id'],
    ['X-GitHub-Hook-ID', 'id'],
    ['admin_graphql_api_id', 'id'],
    ['node_id', 'id'],
    ['uuid', 'id'],
    ['phone_number_id', 'id'],
    ['head_sha', 'id'],
    ['number', 'reference'],
    ['order_number', 'reference'],
    ['payment_ref', 'reference'],
    ['reference', 'reference'],
    ['cart_token', 'reference'],
    ['idempotency_key', 'reference'],
    ['amount', 'never'],
    ['amount_due', 'never'],
    ['total_price', 'never'],
    ['quantity', 'never'],
    ['currency', 'never'],
    ['country_code', 'never'],
    ['status', 'never'],
    ['type', 'never'],
    ['api_version', 'never'],
    ['created', 'never'],
    ['created_at', 'never'],
    ['expiresAt', 'never'],
    ['timestamp', 'never'],
    ['phone_number', 'never'],
    ['attempt_number', 'never'],
    ['type_id', 'never'],
    ['status_id', 'never'],
    ['exp_month', 'never'],
    ['zip', 'never'],
    ['livemode', 'never'],
    ['base_ref', 'open'],
    ['paid', 'open'],
    ['valid', 'open'],
    ['grid', 'open'],
    ['customer', 'thing'],
    ['parent_order', 'thing'],
    ['payment', 'open'],
    ['name', 'text'],
    ['description', 'text'],
    ['user_agent', 'text'],
  ])('takes %s for %s', (key, expected) => {
    expect(keyFacts(key).class).toBe(expected);
  });

  it('knows signatures and tokens', () => {
    expect(keyFacts('X-Hub-Signature-256').isSignature).toBe(true);
    expect(keyFacts('X-Shopify-Hmac-Sha256').isSignature).toBe(true);
    expect(keyFacts('design').isSignature).toBe(false);
    expect(keyFacts('license_key').isToken).toBe(true);
    expect(keyFacts('number').isToken).toBe(false);
  });
});
