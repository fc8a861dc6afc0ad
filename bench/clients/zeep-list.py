"""A list to its end as CSV with python3-zeep. Arguments: URL of the service, file to write."""
import csv
import sys

import zeep

NAMES = "Id EntityTypeId Info SortingName DisplayName IsRoot IsDummy ImportKey IsInactive".split()


def main():
    url, file = sys.argv[1:]
    client = zeep.Client(f"{url}?WSDL")
    credentials = {"ApiKey": "00000000-0000-4000-8000-000000000001", "DatabaseId": None, "UserId": None}
    with open(file, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        page = 1
        while True:
            answer = client.service.RelationGetAll(
                credentials=credentials, pageNumber=page, pageSize=1000, includeFields=False, includeCounters=False
            )
            # zeep hands over what stands in the result rather than the result.
            rows = answer and answer.PvRelationData
            if not rows:
                break
            writer.writerows([*(row[name] for name in NAMES), None, None] for row in rows)
            page += 1


main()
