"""A list to its end as CSV with python3-zeep. Arguments: URL, file to write, page size, and a file for cached WSDL or none."""
import csv
import sys

import zeep
import zeep.cache

NAMES = "Id EntityTypeId Info SortingName DisplayName IsRoot IsDummy ImportKey IsInactive".split()


def main():
    url, file, size, *cache = sys.argv[1:]
    transport = zeep.Transport(cache=zeep.cache.SqliteCache(path=cache[0]) if cache else None)
    client = zeep.Client(f"{url}?WSDL", transport=transport)
    credentials = {"ApiKey": "00000000-0000-4000-8000-000000000001", "DatabaseId": None, "UserId": None}
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        page = 1
        while True:
            answer = client.service.RelationGetAll(
                credentials=credentials, pageNumber=page, pageSize=int(size), includeFields=False, includeCounters=False
            )
            # zeep hands over what stands in the result rather than the result.
            rows = answer and answer.PvRelationData
            if not rows:
                break
            writer.writerows([*(row[name] for name in NAMES), None, None] for row in rows)
            page += 1


main()
