import os
import sqlite3
from http.server import BaseHTTPRequestHandler, HTTPServer

shop = sqlite3.connect(os.environ.get("SHOP_DATABASE", "shop.db"))


class Counter(BaseHTTPRequestHandler):
    def do_GET(self):
        # In your shop, count the paid orders.
        (paid,) = shop.execute("SELECT count(*) FROM seen WHERE event = 'payment.success'").fetchone()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(paid).encode())


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3001"))), Counter).serve_forever()
