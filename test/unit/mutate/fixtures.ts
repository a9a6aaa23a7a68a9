import type { WebhookEvent } from '../../../src/model/event.ts';
import { eventOf, JSON_TYPE } from './events.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** One made-up event of each sender that is known, with what makes its bodies hard. */
export const FIXTURES: Readonly<Record<string, WebhookEvent>> = {
  stripe: eventOf(
    `{
  "id": "evt_1QxYzAbCdEfGhIjKlMnOpQrS",
  "object": "event",
  "api_version": "2024-06-20",
  "created": 1700000000,
  "data": {
    "object": {
      "id": "pi_3QxYzAbCdEfGhIjKl0aBcDeF",
      "object": "payment_intent",
      "amount": 2000,
      "client_secret": "pi_3QxYzAbCdEfGhIjKl0aBcDeF_secret_q1W2e3R4t5Y6u7I8o9P0aSdFg",
      "currency": "eur",
      "customer": "cus_QxYzAbCdEfGh12",
      "description": "Order 1001 for cus_QxYzAbCdEfGh12",
      "metadata": { "order_id": "6735", "note": "leave at 6735 Main St" },
      "receipt_email": "jenny.rosen@shop.test",
      "charges": { "url": "/v1/charges?payment_intent=pi_3QxYzAbCdEfGhIjKl0aBcDeF" },
      "status": "succeeded"
    }
  },
  "livemode": false,
  "request": { "id": "req_AbCdEfGhIjKl12", "idempotency_key": "${UUID}" },
  "type": "payment_intent.succeeded"
}`,
    { headers: [JSON_TYPE, ['Stripe-Signature', 't=1700000000,v1=00']], path: '/hooks/cus_QxYzAbCdEfGh12' },
  ),
  github: eventOf(
    '{"action":"opened","number":2,"pull_request":{"url":"https://api.github.test/repos/octo/hello/pulls/2","id":279147437,"node_id":"MDExOlB1bGxSZXF1ZXN0Mjc5MTQ3NDM3","number":2,"title":"Update 2 files","head":{"ref":"changes-2","sha":"ec26c3e57ca3a959ca5aad62de7213c562f8c821"},"user":{"login":"octo","id":21031067,"avatar_url":"https://avatars.github.test/u/21031067?v=4"}},"before":"0000000000000000000000000000000000000000","repository":{"id":186853002,"full_name":"octo/hello"},"sender":{"login":"octo","node_id":"MDQ6VXNlcjIxMDMxMDY3"}}',
    {
      headers: [
        JSON_TYPE,
        ['X-GitHub-Event', 'pull_request'],
        ['X-GitHub-Delivery', UUID],
        ['X-GitHub-Hook-ID', '292430182'],
        ['X-Hub-Signature-256', 'sha256=00'],
      ],
    },
  ),
  shopify: eventOf(
    '{"id":820982911946154508,"admin_graphql_api_id":"gid:\\/\\/shopify\\/Order\\/820982911946154508","email":"jon@example.test","contact_email":"jon\\u0040example.test","created_at":"2024-01-01T00:00:00-05:00","number":234,"order_number":1234,"name":"#1234","token":"123456abcd123456abcd123456abcd12","total_price":"404.95","order_status_url":"https:\\/\\/shop.test\\/690933842\\/orders\\/123456abcd123456abcd123456abcd12\\/authenticate?key=abc","line_items":[{"id":866550311766439020,"variant_id":808950810,"quantity":1,"grams":500,"title":"IPod Nano - 8GB"}],"customer":{"id":115310627314723954,"phone":"+13125551212","default_address":{"zip":"40202","address1":"1234 Main"}},"weird":1.10}\n',
    {
      headers: [
        JSON_TYPE,
        ['X-Shopify-Topic', 'orders/create'],
        ['X-Shopify-Hmac-Sha256', 'AAAA'],
        ['X-Shopify-Webhook-Id', 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043'],
        ['X-Shopify-Event-Id', '98880550-7158-44d4-b7cd-2c97c8a091b5'],
        ['X-Shopify-API-Version', '2024-10'],
      ],
    },
  ),
  svix: eventOf(
    '{"type":"invoice.paid","timestamp":"2024-01-01T00:00:00Z","data":{"id":"inv_2Lh9KRb0pzN4","amount":7}}',
    {
      headers: [
        JSON_TYPE,
        ['svix-id', 'msg_2Lh9KRb0pzN4LePd3XiA4v12Axj'],
        ['svix-timestamp', '1700000000'],
        ['svix-signature', 'v1,AA=='],
      ],
    },
  ),
  'standard-webhooks': eventOf(
    '{"type":"user.created","data":{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","email":"Ada@Example.test"}}',
    {
      headers: [
        JSON_TYPE,
        ['webhook-id', 'msg_2Lh9KRb0pzN4LePd3XiA4v12Axk'],
        ['webhook-timestamp', '1700000000'],
        ['webhook-signature', 'v1,AA=='],
      ],
    },
  ),
  'generic-hmac': eventOf(
    '{"type":"order.paid","order":"ord_77","tier":"tier_1","data":{"id":"order-77","total":77,"count":77}}',
    {
      headers: [JSON_TYPE, ['x-event-id', 'evt-0001'], ['x-delivery-id', UUID], ['x-signature', '00']],
      path: '/hooks/orders/order-77',
      query: 'order=order-77&page=7',
    },
  ),
  generic: eventOf(
    Buffer.concat([
      Buffer.from(
        '\ufeff { "id" : "evt-abc", "type":"a.b", "data":{"id":7,"ids":[7,8,123456789012345678],"id":9},\r\n "bytes":"',
      ),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from(
        '", "lone":"\\ud800", "big":12345678901234567890123, "inner":"{\\"customer_id\\":\\"c-7\\",\\"again\\":\\"evt-abc\\"}" }\n',
      ),
    ]),
  ),
};
