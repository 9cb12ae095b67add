import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["BASE_URL"] + "/payments/methods",
    headers={"Authorization": "Bearer " + os.environ["API_KEY"]},
)
with urllib.request.urlopen(request, timeout=10) as answer:
    print([method["id"] for method in json.load(answer)["methods"] if method["active"]])
